/** The address of a host, as people write it. */

/** Returns it without `/api/v1`, which every path of the interface begins with, and without slashes at its end. */
export const hostAddress = (baseUrl: string): string =>
  baseUrl
    .trim()
    .replace(/\/+$/, '')
    .replace(/\/api\/v1$/i, '')
    .replace(/\/+$/, '')
