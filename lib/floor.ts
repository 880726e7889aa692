/** Importing this throws where Node.js is too old, in one sentence; doors import it first. It uses nothing that is new itself. */
/** The lowest version in `engines` of package.json; `test/lib/floor.test.ts` compares. */
export const LOWEST_NODE = '22.13.0'

/** The next release line. That of 23 ended in 2025: 23.3 has no SQLite, and on 23.4 no document is placed. */
export const LOWEST_NODE_AFTER_22 = '24.0.0'

/** Null when the version will do. */
export function floorProblem(version: string): string | null {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const needed = major > 22 ? LOWEST_NODE_AFTER_22 : LOWEST_NODE
  const [leastMajor = 0, leastMinor = 0] = needed.split('.').map(Number)
  return major > leastMajor || (major === leastMajor && minor >= leastMinor)
    ? null
    : `Countersign needs Node.js ${needed} or later, and this is ${version}.`
}

const problem = floorProblem(process.versions.node)
if (problem) throw new Error(problem)
