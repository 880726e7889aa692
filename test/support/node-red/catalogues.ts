/** The texts of the nodes in each language, as Node-RED reads them: a catalogue and a help page for each set of nodes. */
import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { root } from '../built.ts'

export const ENGLISH = 'en-US'
/** `es` rather than `es-ES`: Node-RED falls back from a region to its language, so that it serves every region. */
export const TRANSLATIONS = ['de', 'fr', 'es']

const folder = join(root, 'nodes/locales')
const read = (path: string) => readFileSync(join(folder, path), 'utf8')

export const filesOf = (language: string) => globSync('*.{json,html}', { cwd: join(folder, language) }).sort()
export const setsOf = (extension: 'json' | 'html') =>
  globSync(`*.${extension}`, { cwd: join(folder, ENGLISH) })
    .map((file) => basename(file, `.${extension}`))
    .sort()

/** The texts of a catalogue by their paths, for example `label.taskId` or `outputs.0`. */
export function textsOf(language: string, set: string): Map<string, string> {
  const texts = new Map<string, string>()
  const collect = (node: unknown, path: string[]) => {
    if (typeof node === 'object' && node !== null)
      for (const [key, inner] of Object.entries(node)) collect(inner, [...path, key])
    else texts.set(path.join('.'), String(node))
  }
  collect(JSON.parse(read(`${language}/${set}.json`)), [])
  return texts
}

/** A paragraph, an entry of a list or a heading of a help page. */
export interface Block {
  /** The line with every inline mark and every word taken out. */
  structure: string
  /** What must stay as in the interface: names of properties, codes, types. */
  names: string[]
  /** What is printed bold: mostly the labels of forms. */
  bold: string[]
  words: string
}

const sorted = (line: string, pattern: RegExp) => [...line.matchAll(pattern)].map(([, inner]) => inner!).sort()

/** The help page of a set, line by line: a line of it is a block. */
export const helpOf = (language: string, set: string): Block[] =>
  read(`${language}/${set}.html`)
    .split('\n')
    .map((line) => ({
      structure: (line.match(/<[^>]+>/g) ?? []).filter((tag) => !/^<\/?(b|code)>$/.test(tag)).join(''),
      names: sorted(line, /<(?:code|span)[^>]*>(.*?)</g),
      bold: sorted(line, /<b>(.*?)<\/b>/g),
      words: line
        .replace(/<(code|span)[^>]*>.*?<\/\1>/g, '')
        .replace(/<[^>]+>/g, '')
        .trim(),
    }))
