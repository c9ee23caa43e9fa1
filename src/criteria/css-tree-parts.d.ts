// @types/css-tree describes the whole package only
declare module 'css-tree/parser' {
  export { parse as default } from 'css-tree';
}

declare module 'css-tree/walker' {
  export { walk as default } from 'css-tree';
}

declare module 'css-tree/generator' {
  export { generate as default } from 'css-tree';
}

declare module 'css-tree/definition-syntax-data' {
  const data: { readonly properties: Readonly<Record<string, unknown>> };
  export default data;
}
