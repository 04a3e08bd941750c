import { useEffect, useRef, type ReactNode } from "react";
import { Button, Group } from "@mantine/core";
import { Link, useLocation } from "wouter";
import { useFormats } from "../language/formats.ts";
import { useTexts } from "../language/language.tsx";
import { StateBadge } from "../parts/state-badge.tsx";
import { useSession } from "../session/session.tsx";
import { useVendor } from "../session/vendor.tsx";
import { useNavigationCounts } from "./navigation-counts.ts";
import { Preferences } from "./preferences.tsx";
import { shellTexts } from "./shell.texts.ts";

const PAGES = [
  ["/", "home"],
  ["/recovery", "recovery"],
  ["/orders", "orders"],
  ["/customers", "customers"],
  ["/subscriptions", "subscriptions"],
  ["/products", "products"],
  ["/invoices", "invoices"],
  ["/payments", "payments"],
  ["/developers", "developers"],
] as const;

/** What surrounds each page: the vendor's name, preferences and the navigation. */
export function Shell({ children }: { children: ReactNode }) {
  const texts = useTexts(shellTexts);
  const { name, sandbox } = useVendor();
  const { access, signOut } = useSession();
  const [location] = useLocation();
  const isCurrent = (path: string) => (path === "/" ? location === "/" : `${location}/`.startsWith(`${path}/`));
  const numbers = useNavigationCounts();
  const navigation = useRef<HTMLElement>(null);
  useEffect(() => {
    // On a narrow screen the links are wider than the screen: the current one is moved into view.
    const bar = navigation.current;
    const current = bar?.querySelector<HTMLElement>("[aria-current]");
    if (!bar || !current) return;
    const { left, width } = current.getBoundingClientRect();
    bar.scrollLeft += left + width / 2 - bar.getBoundingClientRect().left - bar.clientWidth / 2;
  }, [location]);
  const counts: Partial<Record<(typeof PAGES)[number][1], NavigationCountProps>> = {
    recovery: { value: numbers?.recoveries, meaning: texts.recoveries },
    subscriptions: { value: numbers?.unpaid, meaning: texts.unpaid },
  };
  return (
    <div className="shell">
      <a className="skip" href="#content">
        {texts.skip}
      </a>
      <header className="shell-header">
        <span className="brand">Recoup</span>
        <span className="vendor">
          <span className="vendor-name">{name}</span>
          {sandbox && <StateBadge tone="running">{texts.sandbox}</StateBadge>}
        </span>
        <Preferences />
        <Group className="shell-buttons" gap="xs" wrap="nowrap">
          {access?.kind === "PERSON" && (
            <Button size="xs" variant="default" component={Link} href="/account">
              {texts.account}
            </Button>
          )}
          <Button size="xs" variant="default" onClick={signOut}>
            {texts.signOut}
          </Button>
        </Group>
      </header>
      <nav ref={navigation} className="shell-navigation" aria-label={texts.navigation}>
        <ul>
          {PAGES.map(([path, page]) => (
            <li key={path}>
              <Link href={path} aria-current={isCurrent(path) ? "page" : undefined}>
                {texts.pages[page]}
              </Link>
              <NavigationCount {...counts[page]} />
            </li>
          ))}
        </ul>
      </nav>
      <main id="content" tabIndex={-1}>
        {children}
      </main>
    </div>
  );
}

interface NavigationCountProps {
  value?: number | undefined;
  meaning?: (count: string) => string;
}

/** A number beside a link of the navigation, whose own name stays the plain word; an empty place if there is nothing to count. */
function NavigationCount({ value, meaning }: NavigationCountProps) {
  const { count } = useFormats();
  if (!meaning) return null;
  if (!value) return <span className="navigation-count no-count" />;
  const sentence = meaning(count(value));
  return (
    <span className="navigation-count" title={sentence}>
      <span aria-hidden="true">{count(value)}</span>
      <span className="visually-hidden">{sentence}</span>
    </span>
  );
}
