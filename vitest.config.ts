import { defineConfig } from 'vitest/config'

/** Files whose tests share nothing but constants, so that a worker loads their modules once instead of for each file. */
const pure = ['packages/domain/src/**/*.test.ts', 'packages/api/{src,test}/**/*.test.ts']

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
      { extends: true, test: { name: 'pure', include: pure, isolate: false } },
      {
        extends: true,
        test: {
          name: 'all others',
          setupFiles: ['e2e/lib/setup.ts'],
          exclude: ['**/node_modules/**', ...pure],
          include: [
            'packages/*/src/**/*.test.ts',
            'packages/*/test/**/*.test.ts',
            'apps/*/src/**/*.test.ts',
            'apps/*/test/**/*.test.ts',
            'tools/**/*.test.ts',
            'e2e/**/*.test.ts',
          ],
        },
      },
    ],
  },
})
