import "./mantine-styles.ts";
import "./console.css";
import "./story.css";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { MantineProvider } from "@mantine/core";
import { App } from "./app.tsx";
import { LanguageProvider } from "./language/language.tsx";
import { SessionProvider } from "./session/session.tsx";
import { theme } from "./theme.ts";

const root = document.getElementById("console");
if (!root) throw new Error("The page has no element for the console.");

/** The content policy accepts only style elements with the nonce of this answer. */
const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? "";

createRoot(root).render(
  <StrictMode>
    <MantineProvider theme={theme} defaultColorScheme="auto" getStyleNonce={() => nonce}>
      <LanguageProvider>
        <SessionProvider>
          <App />
        </SessionProvider>
      </LanguageProvider>
    </MantineProvider>
  </StrictMode>,
);
