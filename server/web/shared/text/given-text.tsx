/** Text that another person wrote, such as a name: it is isolated and cannot turn what is alongside it, or its own letters, around. */

/** Characters that change the direction of what follows: with them a name can look like another one. */
const TURNS = /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/g

/** Returns text for attributes and messages, which cannot hold an element. */
export const unturned = (text: string): string => text.replace(TURNS, '')

export const GivenText = ({ children }: { children: string }) => <bdi>{unturned(children)}</bdi>
