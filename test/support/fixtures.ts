/** Files below test/fixtures. */
import { readdirSync, readFileSync } from 'node:fs'

const folder = new URL('../fixtures/', import.meta.url)

/** @param name for example `pdf/orders/chromium-order.pdf` */
export const fixture = (name: string): Uint8Array => new Uint8Array(readFileSync(new URL(name, folder)))

export const fixtureNames = (part: string): string[] =>
  readdirSync(new URL(`${part}/`, folder))
    .sort()
    .map((name) => `${part}/${name}`)
