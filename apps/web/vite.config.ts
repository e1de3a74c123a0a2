import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { operations } from './build/operations.ts';
import { precompress } from './build/precompress.ts';

export default defineConfig({
  plugins: [react(), operations(), precompress()],
  build: {
    target: 'es2023',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 900,
  },
  server: { proxy: { '/api': 'http://127.0.0.1:8080' } },
});
