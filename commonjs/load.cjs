/** Gives CommonJS the same modules that `import` gives, so that there is one of each class. */
const { problem } = require('./floor.cjs')

/** @param file a door, below dist */
module.exports = (file) => {
  if (problem) throw new Error(problem)
  return require(`../dist/${file}`)
}
