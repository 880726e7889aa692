/** Has a process take its Node.js for one that is too old. `check:floor` tries a real one. */
Object.defineProperty(process.versions, 'node', { value: '20.19.0' })
