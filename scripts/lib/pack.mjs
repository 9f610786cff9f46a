// The package as users get it: packed, and unpacked as a dependency of a scratch project.

import { existsSync, mkdirSync, readdirSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { output } from "./gate.mjs";
import { root } from "./manifest.mjs";

/** Bundles and packs into `folder`; `files` are the paths inside the tarball. */
export function pack(folder) {
  output("npm", ["run", "--silent", "bundle"]);
  const [packed] = JSON.parse(output("npm", ["pack", "--json", "--pack-destination", folder]));
  return { tarball: join(folder, packed.filename), files: packed.files.map((file) => file.path) };
}

/** Makes `folder` a project that has the package installed, with its dependencies from this repository. */
export function install(folder, tarball) {
  const modules = join(folder, "node_modules");
  const own = join(modules, "marginalia");
  mkdirSync(own, { recursive: true });
  output("tar", ["xzf", tarball, "-C", own, "--strip-components=1"]);
  for (const name of packagesIn(join(root, "node_modules"))) {
    const link = join(modules, name);
    if (!existsSync(link)) {
      mkdirSync(dirname(link), { recursive: true });
      symlinkSync(join(root, "node_modules", name), link);
    }
  }
  return own;
}

function packagesIn(folder) {
  return readdirSync(folder)
    .filter((name) => !name.startsWith("."))
    .flatMap((name) =>
      name.startsWith("@") ? readdirSync(join(folder, name)).map((inner) => `${name}/${inner}`) : [name],
    );
}
