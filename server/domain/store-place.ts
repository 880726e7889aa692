/** Where a store can be: in a folder, in memory (`:memory:`), or on a PostgreSQL server. Pure. */

export const isServer = (data: string): boolean => /^postgres(ql)?:\/\//.test(data)

/** Whether a store can be there. Other URLs must not become folders; a Windows drive has one letter. */
export const isPlace = (data: string): boolean => data !== '' && (isServer(data) || !/^[a-z][a-z\d+.-]+:/i.test(data))

export const PLACES = 'a folder, :memory: or a postgres:// URL'
/** The places for what outlives its process. */
export const LASTING_PLACES = 'a folder or a postgres:// URL'
