/** Runs before npm packs a published package from its folder of sources, whose package.json is for this repository. */
console.error(
  'Run `npm run build`, then pack the `dist` folder of this package. See docs/releasing.md.',
)
process.exit(1)
