// Light and dark, in the colours of the project: teal for what lives, amber for what runs out.
import { type BrandVariants, type Theme, createDarkTheme, createLightTheme } from '@fluentui/react-components';

const kTeal: BrandVariants = {
  10: '#021415',
  20: '#072426',
  30: '#083b3e',
  40: '#084b4f',
  50: '#095b60',
  60: '#0b6369',
  70: '#0d6b71',
  80: '#0e7077',
  90: '#2a868d',
  100: '#419ba1',
  110: '#5bb0b5',
  120: '#7cc5c9',
  130: '#9dd8db',
  140: '#b9e6e8',
  150: '#d3f1f2',
  160: '#ecfafa',
};

const kFonts = {
  fontFamilyBase:
    "'Segoe UI Variable Text', 'Segoe UI', 'Inter', system-ui, -apple-system, Roboto, 'Liberation Sans', sans-serif",
  fontFamilyMonospace: "'Cascadia Code', 'JetBrains Mono', ui-monospace, Consolas, 'Liberation Mono', Menlo, monospace",
};

export const kLightTheme: Theme = { ...createLightTheme(kTeal), ...kFonts };
export const kDarkTheme: Theme = {
  ...createDarkTheme(kTeal),
  ...kFonts,
  colorBrandForeground1: kTeal[110],
  colorBrandForeground2: kTeal[120],
  colorBrandForegroundLink: kTeal[120],
  colorBrandForegroundLinkHover: kTeal[130],
  colorCompoundBrandForeground1: kTeal[110],
  colorNeutralForeground2BrandHover: kTeal[110],
  colorBrandStroke1: kTeal[100],
  colorCompoundBrandStroke: kTeal[100],
  colorCompoundBrandBackground: kTeal[100],
};

export type ThemeChoice = 'light' | 'dark';
const kStored = 'lapse.theme';

export function initialTheme(): ThemeChoice {
  const stored = localStorage.getItem(kStored);
  if (stored === 'light' || stored === 'dark') return stored;
  return matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
}

export function keepTheme(choice: ThemeChoice): void {
  localStorage.setItem(kStored, choice);
}
