declare global {
  // The name under which libraries of GraphiQL look for the nonce of the style elements that they add.
  var __webpack_nonce__: string | undefined;
}

/** The content policy accepts only style elements with the nonce of this answer. It is set before the libraries load. */
globalThis.__webpack_nonce__ = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? "";

export {};
