// Until Vite 8, a pre-bundled package loses sight of its own files.
export default { optimizeDeps: { exclude: ["marginalia"] } };
