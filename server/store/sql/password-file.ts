/** The password of PostgreSQL from the file of passwords that its own programs read, line by line: the first that fits counts. */
import { readFileSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'

/** Returns the URL with the password that a file has for it. As it is when it has one, PGPASSWORD is set, or no line fits. */
export function withPassword(url: string, environment: NodeJS.ProcessEnv = process.env): string {
  if (environment.PGPASSWORD || !URL.canParse(url)) return url
  const server = new URL(url)
  if (server.password !== '') return url
  const password = passwordFor(server, linesOf(environment.PGPASSFILE || join(homedir(), '.pgpass')))
  if (password === undefined) return url
  server.password = encodeURIComponent(password)
  return server.href
}

/** Returns the lines of a file that no one else can read; no others are taken, as by the programs of PostgreSQL. */
function linesOf(file: string): string[] {
  try {
    const isOpenToOthers = process.platform !== 'win32' && (statSync(file).mode & 0o077) !== 0
    return isOpenToOthers ? [] : readFileSync(file, 'utf8').split(/\r?\n/)
  } catch {
    // There need not be one.
    return []
  }
}

function passwordFor({ hostname, port, pathname, username }: URL, lines: readonly string[]): string | undefined {
  const user = decodeURIComponent(username)
  const wanted = [hostname, port || '5432', decodeURIComponent(pathname.slice(1)) || user, user]
  const found = lines
    .filter((line) => !line.startsWith('#'))
    .map(fieldsOf)
    .find((fields) => fields.length === 5 && wanted.every((value, at) => fields[at] === '*' || fields[at] === value))
  return found?.[4]
}

/** host:port:database:user:password, where a backslash makes a colon or a backslash part of a field. */
const fieldsOf = (line: string): string[] =>
  (line.match(/(?:^|:)(?:\\.|[^:\\])*/g) ?? []).map((field) => field.replace(/^:/, '').replace(/\\(.)/g, '$1'))
