import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { once } from "../../kernel/scheduling/lazy.ts";

const { resolve } = createRequire(import.meta.url);

/* Noto Sans KR by Google and Adobe has Hangul and Latin letters. Its licence, the SIL Open Font License 1.1, allows to embed it in documents. */
const FOLDER = "@expo-google-fonts/noto-sans-kr";

/** The fonts of documents. They are read when the first document is rendered. */
export const documentFonts = once(() => ({
  regular: readFileSync(resolve(`${FOLDER}/400Regular/NotoSansKR_400Regular.ttf`)),
  bold: readFileSync(resolve(`${FOLDER}/700Bold/NotoSansKR_700Bold.ttf`)),
}));
