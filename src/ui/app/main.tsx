import { render } from "preact";
import "./tokens.css";
import "./base.css";
import "./home.css";
import "./setup.css";
import { App } from "./app.tsx";

const root = document.getElementById("app");
if (root !== null) render(<App />, root);
