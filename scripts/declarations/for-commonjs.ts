/**
 * Makes declarations for CommonJS: copies of those that the doors reach, in a folder whose package.json says what they are. With
 * those of the ES modules, TypeScript would refuse `require` under `module: node16`. Removes those that no door reaches: no one can
 * import them, and they name types of packages that an installation does not have.
 */
import { copyFileSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'

const DOORS = ['lib/index.d.ts', 'server/door.d.ts', 'testing/door.d.ts']

/** @param made the folder of the build */
export function declareForCommonJs(made: string): void {
  const into = join(made, 'commonjs')
  const needed = reached(made)
  for (const file of globSync('**/*.d.ts', { cwd: made })) if (!needed.has(file)) rmSync(join(made, file))
  for (const file of needed) {
    mkdirSync(dirname(join(into, file)), { recursive: true })
    copyFileSync(join(made, file), join(into, file))
  }
  writeFileSync(join(into, 'package.json'), '{ "type": "commonjs" }\n')
}

/** The declarations that the doors import, directly or not. */
function reached(made: string): ReadonlySet<string> {
  const found = new Set<string>()
  const visit = (file: string): void => {
    if (found.has(file)) return
    found.add(file)
    for (const [, specifier] of readFileSync(join(made, file), 'utf8').matchAll(
      /(?:\bfrom |^import |\bimport\()["'](\.[^"']+)\.ts["']/gm,
    ))
      visit(normalize(join(dirname(file), `${specifier}.d.ts`)))
  }
  DOORS.forEach(visit)
  return found
}
