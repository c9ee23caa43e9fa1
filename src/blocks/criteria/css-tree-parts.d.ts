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

// the list as a module: the other forms of it read JSON files at run time, which no bundle brings
declare module 'css-tree/dist/data' {
  const data: { readonly properties: Readonly<Record<string, unknown>> };
  export default data;
}
