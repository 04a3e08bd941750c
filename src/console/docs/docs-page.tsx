import "./docs.css";
import { useEffect, useState, type ReactNode } from "react";
import { Anchor, Group, Title } from "@mantine/core";
import { useTexts } from "../language/language.tsx";
import { EmptyNotice, LoadingLines } from "../parts/notices.tsx";
import { Page } from "../parts/page.tsx";
import { TextLink } from "../parts/text-link.tsx";
import { Preferences } from "../shell/preferences.tsx";
import { docsTexts } from "./docs.texts.ts";
import { GUIDE_SECTIONS, loadGuide, type Guide } from "./guides.ts";

/** The docs that the gateway serves without a sign-in: all guides, or the one that the address names. */
export default function DocsPage({ name }: { name?: string }) {
  return <DocsShell>{name === undefined ? <GuideList /> : <GuideArticle key={name} name={name} />}</DocsShell>;
}

function DocsShell({ children }: { children: ReactNode }) {
  const texts = useTexts(docsTexts);
  return (
    <div className="docs">
      <header>
        <Group justify="space-between">
          <span className="brand">Recoup</span>
          <Group gap="md">
            <TextLink to="/">{texts.console}</TextLink>
            <Preferences />
          </Group>
        </Group>
      </header>
      <main>{children}</main>
    </div>
  );
}

const REFERENCES = [
  ["/graphql", "explorer"],
  ["/docs/rest", "rest"],
  ["/openapi.json", "openApi"],
  ["/docs/errors", "errors"],
] as const;

function GuideList() {
  const texts = useTexts(docsTexts);
  return (
    <Page title={texts.title}>
      <p>{texts.english}</p>
      {GUIDE_SECTIONS.map(({ section, guides }) => (
        <section key={section} aria-labelledby={section}>
          <Title order={2} size="h4" mt="lg" id={section}>
            {texts[section]}
          </Title>
          <ul lang="en">
            {guides.map(({ name, title }) => (
              <li key={name}>
                <TextLink to={`/docs/${name}`}>{title}</TextLink>
              </li>
            ))}
          </ul>
        </section>
      ))}
      <Title order={2} size="h4" mt="lg">
        {texts.references}
      </Title>
      <ul>
        {REFERENCES.map(([path, reference]) => (
          <li key={path}>
            <Anchor href={path} underline="always" inherit>
              {texts[reference]}
            </Anchor>
          </li>
        ))}
      </ul>
    </Page>
  );
}

function GuideArticle({ name }: { name: string }) {
  const texts = useTexts(docsTexts);
  const [guide, setGuide] = useState<Guide | null>();
  useEffect(() => {
    let isShown = true;
    void loadGuide(name).then((found) => {
      if (isShown) setGuide(found ?? null);
    });
    return () => {
      isShown = false;
    };
  }, [name]);
  useEffect(() => {
    // The browser looked for the anchor before the guide was there.
    if (guide && location.hash !== "")
      document.getElementById(decodeURIComponent(location.hash.slice(1)))?.scrollIntoView();
  }, [guide]);
  const back = <TextLink to="/docs">{texts.all}</TextLink>;
  if (guide === undefined) return <LoadingLines />;
  if (guide === null)
    return (
      <Page title={texts.title} aside={back}>
        <EmptyNotice>{texts.missing}</EmptyNotice>
      </Page>
    );
  return (
    <Page title={guide.title} aside={back}>
      {/* Our own guides, rendered when the console was built. */}
      <article className="guide" lang="en" dangerouslySetInnerHTML={{ __html: guide.html }} />
    </Page>
  );
}
