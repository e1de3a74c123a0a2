/** The Mantine theme. Colours other than grey and steel blue always mean a severity or verdict. */
import {
  type CSSVariablesResolver,
  createTheme,
  type MantineColorsTuple,
  type MantineThemeComponent,
  mergeThemeOverrides,
} from '@mantine/core';

const steel: MantineColorsTuple = [
  '#eff4ff',
  '#dde7fb',
  '#bccff4',
  '#97b4ee',
  '#7599e8',
  '#5680e0',
  '#3f6ad4',
  '#2f59c4',
  '#264aa6',
  '#1d3a85',
];
const gray: MantineColorsTuple = [
  '#f6f7f9',
  '#eef0f3',
  '#e3e6eb',
  '#d2d7de',
  '#b3bac5',
  '#858e9c',
  '#5d6675',
  '#454d5a',
  '#2c333e',
  '#171c24',
];
const dark: MantineColorsTuple = [
  '#d9dee6',
  '#b9c1cc',
  '#98a2b1',
  '#6d7787',
  '#3a424f',
  '#2b323d',
  '#1f252e',
  '#161b22',
  '#10141a',
  '#0b0e13',
];

/** White text has enough contrast on it, unlike on Mantine's red. */
const red: MantineColorsTuple = [
  '#fdecee',
  '#f9d3d7',
  '#f1a9b0',
  '#ea8791',
  '#e06672',
  '#d4404d',
  '#c42f3c',
  '#b3202c',
  '#961923',
  '#78141c',
];

/** What a field is for is below it, where it does not move the fields of a row. */
const HINT_BELOW: MantineThemeComponent = {
  defaultProps: { inputWrapperOrder: ['label', 'input', 'description', 'error'] },
};

const base = createTheme({
  colors: { steel, red, gray, dark },
  primaryColor: 'steel',
  primaryShade: { light: 7, dark: 6 },
  respectReducedMotion: true,
  black: '#171c24',
  defaultRadius: 'sm',
  radius: { xs: '3px', sm: '6px', md: '8px', lg: '12px', xl: '20px' },
  fontFamily:
    'Inter, system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Liberation Sans", Arial, sans-serif',
  fontFamilyMonospace:
    'ui-monospace, "SF Mono", "Cascadia Mono", "Roboto Mono", "DejaVu Sans Mono", Menlo, monospace',
  fontSizes: { xs: '0.75rem', sm: '0.8125rem', md: '0.875rem', lg: '1rem', xl: '1.1875rem' },
  headings: {
    fontWeight: '620',
    sizes: {
      h1: { fontSize: '1.375rem', lineHeight: '1.3' },
      h2: { fontSize: '1.0625rem', lineHeight: '1.4' },
      h3: { fontSize: '0.9375rem', lineHeight: '1.4' },
    },
  },
  focusRing: 'auto',
  cursorType: 'pointer',
  components: {
    Button: { defaultProps: { size: 'sm' } },
    ...Object.fromEntries(
      [
        ...['FileInput', 'MultiSelect', 'NativeSelect', 'NumberInput', 'PasswordInput', 'Select'],
        ...['TagsInput', 'TextInput', 'Textarea'],
      ].map((name) => [name, HINT_BELOW]),
    ),
    Tooltip: {
      defaultProps: {
        openDelay: 300,
        withArrow: true,
        events: { hover: true, focus: true, touch: true },
      },
    },
    Menu: {
      defaultProps: {
        shadow: 'md',
        transitionProps: { duration: 80 },
        // The first item takes focus; ARIA allows no empty focusable element in a menu.
        withInitialFocusPlaceholder: false,
      },
    },
    // Rendered in place, inside the page's landmarks. The list itself scrolls by arrow keys: a
    // scroll area around it could not be reached by keyboard.
    Autocomplete: {
      defaultProps: {
        ...HINT_BELOW.defaultProps,
        comboboxProps: { withinPortal: false, shadow: 'md' },
        withScrollArea: false,
      },
      styles: { options: { maxHeight: 330, overflowY: 'auto' } },
    },
  },
});

/** Adds the localized labels of Mantine's own buttons. */
export function themeIn(words: { close: string; clear: string; reveal: string }) {
  return mergeThemeOverrides(base, {
    components: {
      Modal: {
        defaultProps: {
          centered: true,
          overlayProps: { backgroundOpacity: 0.45 },
          transitionProps: { duration: 120 },
          closeButtonProps: { 'aria-label': words.close },
        },
      },
      Notification: { defaultProps: { closeButtonProps: { 'aria-label': words.close } } },
      PasswordInput: {
        defaultProps: { visibilityToggleButtonProps: { 'aria-label': words.reveal } },
      },
      TagsInput: {
        defaultProps: { clearButtonProps: { 'aria-label': words.clear } },
        // Keeps the input on the line of the tags.
        styles: { inputField: { minWidth: 40 } },
      },
      Select: {
        defaultProps: {
          size: 'sm',
          checkIconPosition: 'right',
          clearButtonProps: { 'aria-label': words.clear },
        },
      },
    },
  });
}

/** Warnings have the tones of the severities. */
const WARNINGS = {
  '--mantine-color-orange-light': 'var(--high-soft)',
  '--mantine-color-orange-light-color': 'var(--high)',
  '--mantine-color-yellow-light': 'var(--medium-soft)',
  '--mantine-color-yellow-light-color': 'var(--medium)',
};

/** Dimmed text keeps 4.5:1 on the page and on panels, in both schemes. */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    ...WARNINGS,
    '--mantine-color-dimmed': '#59616f',
    '--mantine-color-placeholder': '#666f7d',
    '--mantine-color-error': '#b3202c',
    '--mantine-color-anchor': '#264aa6',
  },
  dark: {
    ...WARNINGS,
    '--mantine-color-dimmed': '#98a2b1',
    '--mantine-color-placeholder': '#8b95a4',
    '--mantine-color-error': '#ff8a8a',
    '--mantine-color-anchor': '#97b4ee',
  },
});
