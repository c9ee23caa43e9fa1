import { bundleOf } from './scripts/bundle-size.mjs';
const a = await bundleOf(`export { definePipeline, criterion } from './src/index.ts'`, process.cwd()); console.log('index', a.kilobytes);
