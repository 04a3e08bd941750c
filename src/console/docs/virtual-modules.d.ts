declare module "virtual:rest-reference" {
  /** The REST interface as HTML. */
  const html: string;
  export default html;
}
