import "./style-nonce.ts";
import "graphiql/style.css";
import "./explorer.css";
import { createRoot } from "react-dom/client";
import { Explorer } from "./explorer.tsx";
import { findExplorerAccess } from "./explorer-access.ts";

const root = document.getElementById("explorer");
if (!root) throw new Error("The page has no element for the explorer.");

const access = await findExplorerAccess();
createRoot(root).render(<Explorer access={access} />);
