// The page works below any path (`base: './'`): the server has it at /_explorer/. Styles and scripts are files, never
// inline, as the server's Content-Security-Policy asks for.
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

// Where `npm run dev` finds a server.
const kServer = process.env.LAPSE_ENDPOINT ?? 'http://127.0.0.1:8081';
const kApi = { target: kServer, changeOrigin: true };

export default defineConfig({
  base: './',
  plugins: [react()],
  build: {
    target: 'es2022',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 1000,
  },
  server: { proxy: { '/dbs': kApi, '/offers': kApi, '/_lapse': kApi } },
});
