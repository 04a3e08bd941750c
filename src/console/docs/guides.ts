/** A guide of the project's docs, in English. */
export interface Guide {
  title: string;
  html: string;
}

const titles = import.meta.glob<string>(["../../../docs/*.md", "!../../../docs/errors.md"], {
  query: "?guide-title",
  import: "default",
  eager: true,
});
const guides = import.meta.glob<Guide>(["../../../docs/*.md", "!../../../docs/errors.md"], {
  query: "?guide",
  import: "default",
});

const nameOf = (path: string): string => path.replace(/^.*\/|[.]md$/g, "");

/** Names and titles of all guides, by title. */
export const GUIDES = Object.entries(titles)
  .map(([path, title]) => ({ name: nameOf(path), title }))
  .sort((one, other) => one.title.localeCompare(other.title));

/** The name of the reference of the REST interface. */
const REST_REFERENCE = "rest";

/** Loads a guide or the REST reference; undefined if there is none with this name. */
export async function loadGuide(name: string): Promise<Guide | undefined> {
  if (name === REST_REFERENCE)
    return { title: "REST reference", html: (await import("virtual:rest-reference")).default };
  const found = Object.entries(guides).find(([path]) => nameOf(path) === name);
  return found?.[1]();
}
