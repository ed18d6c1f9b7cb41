import { defineConfig } from 'vitest/config'

export default defineConfig({
  ssr: { resolve: { conditions: ['development'] } },
  resolve: { conditions: ['development'] },
  test: {
    testTimeout: 240_000,
    hookTimeout: 240_000,
    maxWorkers: 2,
    // What is polled for comes when the machine gets to it; a second is too short beside other work.
    expect: { poll: { timeout: 20_000 } },
    projects: [
      {
        extends: true,
        test: {
          name: 'packages',
          include: ['packages/*/{src,test}/**/*.test.ts'],
          // A worker loads modules once instead of for each file: no test of a package changes what others share.
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'whole system',
          setupFiles: ['e2e/lib/setup.ts'],
          include: ['apps/*/{src,test}/**/*.test.ts', 'tools/**/*.test.ts', 'e2e/**/*.test.ts'],
        },
      },
    ],
  },
})
