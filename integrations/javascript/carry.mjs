// Puts the service's own client and the licence into this package; `--check-types` compares the declarations.
import { copyFileSync, readFileSync } from "node:fs";

const here = (path) => new URL(path, import.meta.url);
copyFileSync(here("../../src/tingdong/service/web/js/client.js"), here("client.js"));
copyFileSync(here("../../LICENSE"), here("LICENSE"));
if (process.argv.includes("--check-types")) {
  const [made, kept] = ["types/client.d.ts", "client.d.ts"].map((path) => readFileSync(here(path), "utf8"));
  if (made !== kept) {
    console.error("client.d.ts is stale: cp types/client.d.ts client.d.ts");
    process.exit(1);
  }
}
