/** Mutants in which an object is there more than once. */

import type { Random } from '../random.ts'
import { type Base, evilOf, targets } from './base.ts'
import { assemble, objectStream, type Part, type Plan, planOf } from './plan.ts'

/** A plan with a false object somewhere; `isEvil` tells whether the cross-reference means that one. */
export function withDuplicate(base: Base, random: Random): Plan {
  const plan = planOf(base)
  const evil = evilOf(base, random.pick(targets))
  const isEvil = random.isSo()
  const at = plan.parts.findIndex(({ number }) => number === evil.number)
  const twin: Part = { number: evil.number, body: evil.body, isListed: isEvil }
  const places = [0, at, at + 1, plan.parts.length, random.below(plan.parts.length + 1)]
  plan.parts.splice(at, 1, { ...plan.parts[at]!, isListed: !isEvil })
  plan.parts.splice(random.pick(places), 0, twin)
  for (const [number, body] of evil.more) plan.parts.push({ number, body, isListed: true })
  if (random.isSo(0.3)) plan.form = 'stream'
  return plan
}

export const duplicated = (base: Base, random: Random): Buffer => assemble(withDuplicate(base, random)).pdf

/** The false one under another generation, which some readers take for the same number. */
export function anotherGeneration(base: Base, random: Random): Buffer {
  const plan = withDuplicate(base, random)
  const number = plan.parts.find((part) => !part.isListed)!.number
  const which = random.isSo()
  for (const part of plan.parts) if (part.number === number && part.isListed === which) part.generation = 1
  return assemble(plan).pdf
}

/** The false one where only those look who look everywhere. */
export function hidden(base: Base, random: Random): Buffer {
  const plan = planOf(base)
  const evil = evilOf(base, random.pick(targets))
  for (const [number, body] of evil.more) plan.parts.push({ number, body, isListed: true })
  const object = `${evil.number} 0 obj\n${evil.body}\nendobj\n`
  const disguises = [
    `%\r${object}`,
    `% ${object.replaceAll('\n', ' ')}\n`,
    `999 0 obj\n<< /Length ${object.length} >>\nstream\n${object}\nendstream\nendobj\n`,
    `998 0 obj\n(${object.replace(/[()\\]/g, '')})\nendobj\n`,
    `xref\n0 0\n${object}`,
    `startxref\n0\n%%EOF\n${object}`,
    `trailer\n<< >>\n${object}`,
  ]
  plan.tail = random.pick(disguises)
  if (random.isSo()) plan.rows = (row) => row.replace(' \n', random.pick(['\n', '  \n', ' \n']))
  if (random.isSo(0.3)) plan.end = (ending) => ending.replace('%%EOF\n', '')
  return assemble(plan).pdf
}

/** The true one in an object stream, the false one beside it, or the other way about. */
export function packedAndPlain(base: Base, random: Random): Buffer {
  const plan = planOf(base)
  const evil = evilOf(base, random.pick(['page', 'turn', 'size', 'pages', 'catalog', 'font'] as const))
  if (evil.body.includes('stream\n')) return duplicated(base, random)
  for (const [number, body] of evil.more) plan.parts.push({ number, body, isListed: true })
  const isEvil = random.isSo()
  const at = plan.parts.findIndex(({ number }) => number === evil.number)
  const [good] = plan.parts.splice(at, 1)
  const versions = [
    { ...good!, isListed: !isEvil },
    { ...good!, body: evil.body, isListed: isEvil },
  ]
  if (random.isSo()) versions.reverse()
  const [packed, plain] = versions as [Part, Part]
  const number = base.unused + 5
  plan.packed = { number, parts: [packed] }
  const way = random.below(4)
  if (way === 0) plan.parts.push(plain)
  else if (way === 1) plan.parts.unshift(plain)
  else if (way === 2) plan.packed.parts.splice(random.below(2), 0, plain)
  else plan.tail = `${number + 1} 0 obj\n${objectStream([plain])}\nendobj\n`
  return assemble(plan).pdf
}
