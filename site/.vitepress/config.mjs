import { readBook, readText, targetOf } from '../book.mjs';
import { slugOf } from '../slug.mjs';
import { referencePages } from '../stage.mjs';
import { accessibleSidebar, plainEmptyHeaders } from './accessible-theme.mjs';

const icon = `data:image/svg+xml,${encodeURIComponent(readText('docs/pictures/favicon.svg'))}`;
const link = (target) => `/${target.replace(/\.md$/, '').replace(/(^|\/)index$/, '$1')}`;
const closed = (title, items) => ({ text: title, collapsed: true, items });

const sidebar = [
  ...readBook().map(({ title, pages }, index) => ({
    text: title,
    collapsed: index > 1,
    items: pages.map((page) => ({ text: page.title, link: link(targetOf(page.path)) })),
  })),
  closed('Types', [
    { text: 'All entry points', link: '/reference/' },
    ...referencePages().map(({ title, target }) => ({ text: title, link: link(target) })),
  ]),
];

/** The site of docs/: staged by site/stage.mjs, built by site/build.mjs. */
export default {
  title: 'reviewloop',
  description: 'Review pipelines for what LLM agents produce',
  lang: 'en',
  srcDir: 'pages',
  // the Markdown of each page, as it is
  srcExclude: ['public/**'],
  outDir: 'dist',
  cacheDir: '../temp/vitepress',
  base: process.env.REVIEWLOOP_SITE_BASE ?? '/',
  // a link that leads nowhere ends the build
  ignoreDeadLinks: false,
  head: [['link', { rel: 'icon', href: icon }]],
  markdown: {
    anchor: { slugify: slugOf },
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    config: plainEmptyHeaders,
  },
  vite: {
    plugins: [accessibleSidebar],
    // the text of all pages, which the search loads when it is opened
    build: { chunkSizeWarningLimit: 4000 },
  },
  themeConfig: {
    sidebar,
    nav: [
      { text: 'Tutorial', link: '/tutorial/a-loop' },
      { text: 'Concepts', link: '/concepts' },
      { text: 'All pages', link: '/all-pages' },
    ],
    outline: [2, 3],
    search: { provider: 'local' },
    docFooter: { prev: 'Before', next: 'Next' },
  },
};
