import { createTheme, defaultVariantColorsResolver, type MantineColorsTuple } from "@mantine/core";

/** Greens from the payer's pages. */
const recoup: MantineColorsTuple = [
  "#eaf6ef",
  "#d5ebde",
  "#a9d8bd",
  "#7bc39a",
  "#54b17c",
  "#3ba56a",
  "#2a8f59",
  "#1f7a4a",
  "#17653f",
  "#0e5031",
];

export const theme = createTheme({
  primaryColor: "recoup",
  // White text on it has enough contrast in both colour schemes.
  primaryShade: 8,
  colors: { recoup },
  defaultRadius: "md",
  fontFamily:
    "system-ui, -apple-system, 'Segoe UI', 'Apple SD Gothic Neo', 'Malgun Gothic', 'Noto Sans KR', sans-serif",
  // Mantine's light variant has too little contrast for small text (WCAG 2.2, 1.4.3).
  variantColorResolver: (input) => {
    const colors = defaultVariantColorsResolver(input);
    if (input.variant !== "light" || input.color === undefined) return colors;
    const shade = (number: number) => `var(--mantine-color-${String(input.color)}-${number})`;
    return { ...colors, color: `light-dark(color-mix(in srgb, ${shade(9)}, black 25%), ${shade(2)})` };
  },
});
