/** Leaves in source maps the texts of our own sources. Those of packages are as long again, and can be had from the packages. */
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

interface SourceMap {
  sources: string[]
  sourcesContent?: (string | null)[]
}

/** @param made the folder of the build */
export function keepOwnSources(made: string): void {
  for (const file of globSync('**/*.js.map', { cwd: made })) {
    const map: SourceMap = JSON.parse(readFileSync(join(made, file), 'utf8'))
    const { sources, sourcesContent = [] } = map
    const kept = sourcesContent.map((text, index) => (sources[index]!.includes('/node_modules/') ? null : text))
    writeFileSync(join(made, file), JSON.stringify({ ...map, sourcesContent: kept }))
  }
}
