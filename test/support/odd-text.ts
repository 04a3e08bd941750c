/** Characters that JSON escapes, those around a gap, and some that it does not escape. */
export const ODD_TEXT = `"'\\/\b\f\n\r\t\u0001\u0002{}3\u001f\u007f\u2028 é 한 😀 %s $1`;
