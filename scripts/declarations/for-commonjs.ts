/**
 * Makes declarations for CommonJS: copies of those that the doors reach, in a folder whose package.json says what they are. With
 * those of the ES modules, TypeScript would refuse `require` under `module: node16`.
 */
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'

const DOORS = ['lib/index.d.ts', 'server/door.d.ts', 'testing/door.d.ts']

/** @param made the folder of the build */
export function declareForCommonJs(made: string): void {
  const into = join(made, 'commonjs')
  for (const file of reached(made)) {
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
