// the fonts of the system: nothing to load
import { withBase } from 'vitepress';
import theme from 'vitepress/theme-without-fonts';
import { h } from 'vue';
import Home from './home.vue';
import './style.css';

/** The page for an address that leads nowhere, as a main landmark. */
const notFound = () =>
  h('main', { class: 'not-found' }, [
    h('h1', 'There is no such page'),
    h('p', h('a', { href: withBase('/all-pages.html') }, 'All pages')),
  ]);

export default {
  extends: theme,
  enhanceApp: ({ app }) => app.component('Home', Home),
  Layout: () => h(theme.Layout, null, { 'not-found': notFound }),
};
