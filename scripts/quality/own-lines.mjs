/**
 * Lint rule: a function's own lines, without those of the functions that are declared in it. A
 * factory that returns small named functions is a module in small; each of them is counted alone.
 */

const isFunction = (node) => node.type === 'FunctionDeclaration'
  || node.type === 'FunctionExpression' || node.type === 'ArrowFunctionExpression';

const linesOf = (node) => node.loc.end.line - node.loc.start.line + 1;

/** The rule for `local/own-lines`: options `{own, all}`, most own lines and most lines at all. */
export const ownLines = {
  meta: {
    type: 'suggestion',
    schema: [{ type: 'object' }],
    messages: {
      own: 'This function has {{own}} lines of its own. At most {{most}} are allowed.',
      all: 'This factory has {{all}} lines with everything in it. At most {{most}} are allowed.',
    },
  },
  create(context) {
    const { own: ownMax, all: allMax } = context.options[0];
    const open = [];
    const enter = (node) => open.push({ node, inner: 0 });
    const leave = (node) => {
      const { inner } = open.pop();
      const all = linesOf(node);
      const parent = open.at(-1);
      if (parent !== undefined) parent.inner += all;
      const own = all - inner;
      if (own > ownMax) context.report({ node, messageId: 'own', data: { own, most: ownMax } });
      if (all > allMax) context.report({ node, messageId: 'all', data: { all, most: allMax } });
    };
    return {
      ':function': (node) => isFunction(node) && enter(node),
      ':function:exit': (node) => isFunction(node) && leave(node),
    };
  },
};
