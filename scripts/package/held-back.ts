/** The packages that stay at an older major version, each with the reason. `npm run check:updates` reports all others. */
export const HELD_BACK: Readonly<Record<string, string>> = {
  keyv: 'keyv 6 needs Node.js 22.19, and the palette manager of Node-RED may have 22.13',
}
