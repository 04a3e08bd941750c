/*
 * Who may import whom. Each rule says what to do instead; docs/decisions tells why.
 * Free to import everything: main, gateway, graphql/context with its repositories and services, graphql/schema, demo, commands, and tests.
 */

/** The modules in their order: one may call those before it. */
const modules = [
  "events",
  "vendors",
  "customers",
  "products",
  "orders",
  "subscriptions",
  "invoices",
  "payments",
  "recovery",
  "renewals",
  "checkout",
  "webhooks",
  "notifications",
  "import",
  "privacy",
];
const inModule = `^src/(?:${modules.join("|")})/`;
const role = (...names) => `[.](?:${names.join("|")})[.]ts$`;
const everyRole = ["type", "resolver", "service", "repository", "projection", "module"];

const ours = "^(?:src|schema|rest-compat|test|bench)/";
const kernel = "^src/kernel/";
const vocabulary = "^schema/(?:(?:vocabulary|regions)[.]ts$|vocabulary/)";
const tables = "^schema/tables/";
const database = "^src/database/";
const engine = "^src/recovery/engine/";
const simulation = "^src/recovery/simulation/";
/** Files named for what they compute: order.states, subscription.period. */
const pure = `${inModule}[^.]+[.](?!(?:${everyRole.join("|")})[.]ts$)[^./]+[.]ts$`;

/** `from` may import of ours only what is listed. */
const only = (name, comment, from, ...allowed) => ({
  name,
  comment,
  severity: "error",
  from,
  to: { path: ours, pathNot: allowed },
});

/** `from` may not import `to`, or only its types. */
const never = (name, comment, from, to) => ({ name, comment, severity: "error", from, to });
const typesOnly = { dependencyTypesNot: ["type-only"] };

module.exports = {
  forbidden: [
    only(
      "vocabulary-imports-nothing",
      "The vocabulary is a list of words that everything may read. Move what needs more to where it is used.",
      { path: vocabulary },
      vocabulary,
    ),
    only(
      "kernel-imports-words-only",
      "The kernel stands under everything but the words. Pass in what it needs as a parameter, or move the file to the module that it serves.",
      { path: kernel },
      kernel,
      vocabulary,
    ),
    only(
      "tables-know-words-only",
      "Tables say how rows are stored. Put what computes with rows into a repository or a pure file.",
      { path: tables },
      tables,
      vocabulary,
    ),
    only(
      "database-knows-no-module",
      "The database's tools serve every repository. Pass the table or the column in as a parameter.",
      { path: database },
      database,
      kernel,
      vocabulary,
    ),
    never(
      "pure-files-take-facts",
      "The engine, and files named for what they compute, are pure functions. Pass the facts in: rows, dates, words. The type of a row may be imported (`import type`).",
      { path: [engine, pure] },
      { path: ours, pathNot: [engine, kernel, vocabulary, pure], ...typesOnly },
    ),
    only(
      "engine-stands-alone",
      "The engine can be read, tested and replayed by itself. Pass the facts in.",
      { path: engine },
      engine,
      kernel,
      vocabulary,
    ),
    only(
      "simulations-know-the-engine-only",
      "A simulation plays the engine against worlds. Pass in what else it needs.",
      { path: simulation },
      simulation,
      engine,
      kernel,
      vocabulary,
    ),
    never(
      "nothing-runs-on-simulations",
      "Simulations judge the engine; what the gateway needs of them belongs into the engine or the kernel.",
      { path: ours, pathNot: [simulation, "^src/commands/", "^test/", "^bench/"] },
      { path: simulation },
    ),
    only(
      "projections-say-how-rows-are-read",
      "A projection says how the rows of a table are read and which rows lie below them, across modules. Put what decides into a service.",
      { path: "^src/.*" + role("projection") },
      tables,
      "^src/database/projection[.]ts$",
      "^src/.*" + role("projection"),
    ),
    only(
      "repositories-ask-tables",
      "A repository asks the database and nothing else; it may share with those of its module. Join another module's table for reading, or let the service ask the other service.",
      { path: `^src/([^/]+)/.*` + role("repository") },
      "^src/.*" + role("projection"),
      "^src/$1/.*" + role("repository"),
      tables,
      database,
      kernel,
      vocabulary,
    ),
    only(
      "services-know-no-protocol",
      "A service says what the business says. Take plain values in and give records out; ask a repository of the same module instead of a table, and a service of a lower module instead of its repository.",
      { path: `^src/(${modules.join("|")})/.*` + role("service") },
      kernel,
      vocabulary,
      "^src/$1/(?!.*[.](?:type|resolver)[.]ts$)",
      inModule + ".*" + role("service"),
      // Pure functions of lower modules: what a plan costs, when a period ends.
      pure,
      "^src/jobs/job-queue[.]ts$",
      // The key of a request is bound in the transaction that claims its charge or refund.
      "^src/idempotency/idempotency[.]service[.]ts$",
    ),
    only(
      "modules-name-their-own",
      "A module's composition names its own repositories and services; what they need of lower modules they ask for by name. graphql/services puts the modules together.",
      { path: `^src/([^/]+)/[^/]+` + role("module") },
      "^src/$1/.*" + role("repository", "service"),
    ),
    never(
      "services-form-no-circle",
      "A service is constructed from others by their names, so that a circle would not be seen when it runs. Move what both need into a third service.",
      { path: `${inModule}.*` + role("service") },
      { circular: true, viaOnly: { path: `${inModule}.*` + role("service") } },
    ),
    ...modules
      .slice(0, -1)
      .map((name, index) =>
        never(
          `calls-go-down-from-${name}`,
          `Calls go down, news goes up. Post a job or an event in the same transaction, and let the higher module listen.`,
          { path: `^src/${name}/(?!.*[.](?:type|resolver|projection)[.]ts$)` },
          { path: `^src/(?:${modules.slice(index + 1).join("|")})/` },
        ),
      ),
    only(
      "types-do-not-act",
      "A type says what is seen from outside. Put what acts into the resolver.",
      { path: `^src/.*${role("type")}` },
      `^src/.*${role("type")}`,
      vocabulary,
      kernel,
      "^src/graphql/(?:scalars|connection|node|numbered-page)[.]ts$",
    ),
    never(
      "types-do-not-compute",
      "A type takes only the types of the kernel (`import type`). Compute in the resolver.",
      { path: `^src/.*${role("type")}` },
      { path: kernel, ...typesOnly },
    ),
    only(
      "resolvers-translate",
      "A resolver translates between the graph and the context. Write what it needs as a question of a repository (context.read) or a verb of a service (context.write).",
      { path: `^src/.*${role("resolver")}` },
      inModule,
      "^src/graphql/",
      kernel,
      vocabulary,
    ),
    never(
      "resolvers-take-tools-from-the-context",
      "Repositories, services and gateways come from the context (read, write, loaders). Here only their types may be named (`import type`).",
      { path: `^src/.*${role("resolver")}` },
      {
        path: [
          inModule + ".*" + role("repository", "service"),
          "^src/payments/gateways/(?!.*[.](?:type|resolver)[.]ts$)",
          "^src/graphql/(?:context|loaders|repositories|services)[.]ts$",
        ],
        ...typesOnly,
      },
    ),
    only(
      "rest-has-no-rules",
      "The REST contract is names and shapes over stored operations. Write a stored operation, or widen one.",
      { path: "^rest-compat/" },
      "^rest-compat/",
      kernel,
      vocabulary,
      "^src/graphql/(?:context|scalars|execution/response-form)[.]ts$",
    ),
    never(
      "rest-takes-the-context",
      "Of the context only its type (`import type`): the gateway hands contexts in.",
      { path: "^rest-compat/" },
      { path: "^src/graphql/context[.]ts$", ...typesOnly },
    ),
    only(
      "http-carries",
      "HTTP carries requests and answers. Hand in what it needs when the gateway is put together (ServerParts).",
      { path: "^src/http/", pathNot: role("repository") },
      "^src/http/",
      "^src/graphql/",
      kernel,
      vocabulary,
      "^src/(?:vendors|idempotency)/",
    ),
    never(
      "graph-machinery-knows-no-module",
      "What every module's types and resolvers share names no module. Only graphql/context with its read abilities, repositories and services, and graphql/schema, put modules together; elsewhere name their types (`import type`).",
      { path: "^src/graphql/", pathNot: "^src/graphql/(?:context|read-abilities|repositories|services|schema)[.]ts$" },
      { path: inModule, ...typesOnly },
    ),
    only(
      "graph-stands-below-http",
      "GraphQL does not know how requests arrive. Pass in what it needs.",
      { path: "^src/graphql/", pathNot: "^src/graphql/(?:context|read-abilities|repositories|services|schema)[.]ts$" },
      "^src/graphql/",
      database,
      kernel,
      vocabulary,
      inModule,
    ),
    never(
      "shared-files-of-a-module-hold-no-tools",
      "A file that a module's roles share (lists, words) knows the database and the other roles only by their types (`import type`). Pass the repository in.",
      { path: `${inModule}[^/.]+[.]ts$` },
      { path: [tables, "^src/http/", "^rest-compat/", inModule + ".*" + role(...everyRole)], ...typesOnly },
    ),
    never(
      "shared-files-of-a-module-open-no-database",
      "A file that a module's roles share knows the database only by its types (`import type`). Pass the repository in.",
      { path: `${inModule}[^/.]+[.]ts$` },
      { path: database, ...typesOnly },
    ),
    never(
      "nobody-imports-main",
      "main starts a process when it is loaded, as `recoup start` does. Put what is to be shared into gateway or a module.",
      { pathNot: "^src/commands/start[.]ts$" },
      { path: "^src/main[.]ts$" },
    ),
    never(
      "commands-are-entries",
      "A command runs when it is loaded. Put what is to be shared beside it and import that.",
      { path: ours, pathNot: ["^src/commands/", "^test/"] },
      { path: "^src/commands/" },
    ),
    never(
      "tests-are-leaves",
      "What runs in production does not know its tests. Move shared code to src.",
      { path: ours, pathNot: ["^test/", "^bench/"] },
      { path: ["^test/", "^bench/"] },
    ),
    never(
      "no-cycles",
      "A cycle crashes the compiled modules (`Cannot access 'A' before initialization`). Import the type only (`import type`), or move what both need below both.",
      // Edges between projections are functions: nothing of one is used while the other is loaded.
      { pathNot: role("projection") },
      { circular: true, viaOnly: { dependencyTypesNot: ["type-only"] } },
    ),
    only(
      "console-is-a-client",
      "The console runs in a browser and knows the public GraphQL API only, by types generated from schema/schema.graphql. Write an operation.",
      { path: "^src/console/" },
      "^src/console/",
    ),
    never(
      "nothing-runs-on-the-console",
      "The gateway serves the built console as files. Put what both need into the API.",
      { path: ours, pathNot: ["^src/console/", "^test/"] },
      { path: "^src/console/" },
    ),
    never(
      "no-development-tools-in-production",
      "`npm ci --omit=dev` does not install it. Move the package to dependencies.",
      { path: "^(?:src|schema|rest-compat)/", pathNot: "^src/console/" },
      { dependencyTypes: ["npm-dev"], dependencyTypesNot: ["type-only"] },
    ),
    never(
      "everything-resolves",
      "There is no such file or package. Fix the path, or add the package to package.json.",
      {},
      // Vite's plugins make virtual modules.
      { couldNotResolve: true, pathNot: "^virtual:" },
    ),
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.test.json" },
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["import", "require", "node", "default", "types"],
    },
  },
};
