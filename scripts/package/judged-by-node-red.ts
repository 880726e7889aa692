/**
 * Has node-red-dev judge the packed package, the program by which the catalogue of Node-RED judges what it lists. It brings 300
 * packages and an install script, so it is fetched for this check alone, and its script does not run.
 */
import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { HELD_BACK } from './held-back.ts'

const JUDGE = 'node-red-dev@0.1.6'
const LIMIT_MS = 3_600_000

/** The rules that this package does not keep, each with the reason. */
const KNOWINGLY_BROKEN: Readonly<Record<string, string>> = {
  P07: 'Node-RED 5 begins with Node.js 22.9, and node:sqlite needs no flag from 22.13 on',
  D01: 'the service comes with the nodes, so there are more than 6 dependencies',
}
/** Packages that D03 finds outdated although they are not; `npm run check:updates` judges them. */
const NOT_JUDGED: Readonly<Record<string, string>> = {
  express: 'npm-check cannot read the list of its versions, because of "1.0.0beta"',
}
const KEPT = ['P01', 'P03', 'P04', 'P05', 'P06', 'P08', 'N01', 'N02', 'D02']

interface Verdict {
  test: boolean
  nodes?: string[]
  packages?: string[]
}

/** Where its catalogue cannot be reached, it compares names with nothing; all else it asks the registry. */
const RUNNER = `
const { readFileSync } = require('node:fs')
const axios = require('axios')
const get = axios.get
axios.get = (url, ...rest) => get(url, ...rest).catch((error) => {
  if (!url.startsWith('https://catalogue.nodered.org/')) throw error
  console.log('CATALOGUE-AWAY')
  return { data: { modules: [] } }
})
process.argv.splice(2, Infinity, 'validate', ...process.argv.slice(2))
require('node-red-dev').run().then(require('@oclif/command/flush')).catch(require('@oclif/errors/handle'))
`

/**
 * @param work a folder for files that are removed later
 * @param packed the package as it was installed or unpacked
 * @param types the nodes that must be seen
 */
export function judgeByNodeRed(
  work: string,
  packed: string,
  types: readonly string[],
  say: (text: string) => void,
): void {
  const folder = join(work, 'judge')
  mkdirSync(folder)
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'judge', private: true }))
  const options = { cwd: folder, encoding: 'utf8', timeout: LIMIT_MS, stdio: 'pipe' } as const
  execFileSync('npm', ['install', JUDGE, '--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund'], options)
  writeFileSync(join(folder, 'run.cjs'), RUNNER)
  const printed = execFileSync(process.execPath, ['run.cjs', '--path', packed, '--output', 'card.json'], options)
  if (printed.includes('CATALOGUE-AWAY'))
    say('catalogue.nodered.org cannot be reached: node-red-dev compares the names of nodes and packages with nothing')
  const card: Record<string, Verdict> = JSON.parse(readFileSync(join(folder, 'card.json'), 'utf8'))

  const seen = card.N02?.nodes ?? []
  const unseen = types.filter((type) => !seen.includes(type))
  if (unseen.length > 0) throw new Error(`node-red-dev does not see ${unseen.join(', ')}, or no example uses it.`)
  const broken = KEPT.filter((rule) => card[rule]?.test !== true)
  const stale = (card.D03?.packages ?? []).filter((name) => !reasonOf(name))
  if (!card.D03 || stale.length > 0) broken.push('D03')
  if (broken.length > 0)
    throw new Error(`node-red-dev: ${broken.map((rule) => `${rule} ${told(card[rule])}`).join('; ')}`)
  for (const [rule, reason] of Object.entries(KNOWINGLY_BROKEN))
    if (card[rule]?.test !== false) throw new Error(`${rule} is kept now; remove its reason: ${reason}.`)
  say(`node-red-dev sees ${seen.length} of ${types.length} nodes; kept: ${KEPT.join(' ')}`)
  for (const [rule, reason] of Object.entries(KNOWINGLY_BROKEN)) say(`not kept: ${rule}, because ${reason}`)
  for (const name of card.D03?.packages ?? []) say(`not kept: D03 for ${name}, because ${reasonOf(name)}`)
}

const reasonOf = (name: string) => HELD_BACK[name] ?? NOT_JUDGED[name]
const told = (verdict: Verdict | undefined) => JSON.stringify(verdict ?? 'was not judged')
