/** A guide of the project's docs, in English. */
export interface Guide {
  title: string;
  html: string;
}

const titles = import.meta.glob<string>(
  ["../../../docs/*.md", "../../../docs/guides/*.md", "!../../../docs/errors.md"],
  {
    query: "?guide-title",
    import: "default",
    eager: true,
  },
);
const guides = import.meta.glob<Guide>(
  ["../../../docs/*.md", "../../../docs/guides/*.md", "!../../../docs/errors.md"],
  {
    query: "?guide",
    import: "default",
  },
);

const nameOf = (path: string): string => path.replace(/^.*\/|[.]md$/g, "");

/** The guides of each section, in the order in which they are read. The last section also has those that none names. */
const NAMES_BY_SECTION = {
  begin: ["tutorial", "tasks", "one-failed-payment", "console"],
  build: [
    ...["graphql", "legacy-integrations", "rest-to-graphql", "developers"],
    ...["webhooks", "events", "command-line", "scalars", "versioning"],
  ],
  recover: [
    ...["recovery", "shadow-mode", "recovery-report", "backtest"],
    ...["experiments", "recovery-model", "simulation"],
  ],
  charge: ["gateways", "messages", "import", "personal-data"],
  operate: ["operations", "backups", "people-and-keys", "security"],
  more: ["glossary", "figures", "walks"],
} as const satisfies Record<string, readonly string[]>;

export type GuideSection = keyof typeof NAMES_BY_SECTION;

const titlesByName = new Map(Object.entries(titles).map(([path, title]) => [nameOf(path), title]));

const named = new Set<string>(Object.values(NAMES_BY_SECTION).flat());

const titled = (names: readonly string[]) =>
  names.flatMap((name) => {
    const title = titlesByName.get(name);
    return title === undefined ? [] : [{ name, title }];
  });

/** The sections with the names and titles of their guides. */
export const GUIDE_SECTIONS: readonly { section: GuideSection; guides: { name: string; title: string }[] }[] = [
  { section: "begin", guides: titled(NAMES_BY_SECTION.begin) },
  { section: "build", guides: titled(NAMES_BY_SECTION.build) },
  { section: "recover", guides: titled(NAMES_BY_SECTION.recover) },
  { section: "charge", guides: titled(NAMES_BY_SECTION.charge) },
  { section: "operate", guides: titled(NAMES_BY_SECTION.operate) },
  {
    section: "more",
    guides: titled([...NAMES_BY_SECTION.more, ...[...titlesByName.keys()].filter((name) => !named.has(name)).sort()]),
  },
];

/** The name of the reference of the REST interface. */
const REST_REFERENCE = "rest";

/** Loads a guide or the REST reference; undefined if there is none with this name. */
export async function loadGuide(name: string): Promise<Guide | undefined> {
  if (name === REST_REFERENCE)
    return { title: "REST reference", html: (await import("virtual:rest-reference")).default };
  const found = Object.entries(guides).find(([path]) => nameOf(path) === name);
  return found?.[1]();
}
