// Apollo Sandbox is loaded from the internet. Where that fails, GraphiQL opens, which the gateway serves itself.
(() => {
  if (new URLSearchParams(location.search).get("explorer") === "sandbox") return;
  const openGraphiql = () => location.replace("/graphql?explorer=graphiql");
  if (!navigator.onLine) return openGraphiql();
  // A firewall that drops packets reports no error.
  const timer = setTimeout(openGraphiql, 10_000);
  addEventListener("message", ({ origin }) => {
    if (origin === "https://sandbox.embed.apollographql.com") clearTimeout(timer);
  });
  // Errors of scripts do not bubble; they can be captured.
  addEventListener("error", ({ target }) => target instanceof HTMLScriptElement && openGraphiql(), true);
})();
