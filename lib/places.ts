/** Where the files of the package are: alongside the sources, or in dist when what was built runs. */

/** Whether what was built runs, and not the sources. */
export const isBuilt = import.meta.url.endsWith('.js')

/**
 * Returns the URL of a file. The build, too, keeps this module in a folder directly below the top.
 * @param path from the top of the sources, or of dist
 */
export const fileAt = (path: string): URL => new URL(`../${path}`, import.meta.url)

/**
 * Returns the URL of a module that is loaded by its path, such as the code of a thread.
 * @param name its path without the extension
 */
export const moduleAt = (name: string): URL => fileAt(`${name}.${isBuilt ? 'js' : 'ts'}`)
