import type { CustomLayerInterface, Map as MapOfDevices } from 'maplibre-gl';
import { POINT_NUMBERS, STATES, type ShownState, type Drawn } from './fleet.ts';

type Colour = readonly [number, number, number];

/** Red, green, blue from 0 to 1 for each state, and for the ring of the chosen device. */
export interface DeviceColours {
  readonly states: Readonly<Record<ShownState, Colour>>;
  readonly ring: Colour;
}

/** All devices on one canvas, whatever their number: one draw call of points. */
export interface DeviceLayer extends CustomLayerInterface {
  /** Draws these from the next frame on. */
  show(drawn: Drawn): void;
  colour(colours: DeviceColours): void;
}

const FLOAT_BYTES = 4;

const VERTEX = `
uniform mat4 matrix; uniform float size; attribute vec4 point; varying float state; varying float chosen;
void main() {
  state = point.z; chosen = point.w;
  gl_Position = matrix * vec4(point.xy, 0., 1.);
  gl_PointSize = size * (1. + 1.5 * chosen) * (state > 3.5 ? 1.4 : 1.);
}`;

/** A disc for each age, a square for what is stopped, a diamond for what is in overflow. */
const FRAGMENT = `
precision mediump float;
uniform vec3 fresh; uniform vec3 late; uniform vec3 silent; uniform vec3 stopped;
uniform vec3 overflow; uniform vec3 ring;
varying float state; varying float chosen;
void main() {
  vec2 off = abs(gl_PointCoord - .5);
  float far = state < 2.5 ? length(off) : state < 3.5 ? max(off.x, off.y) * 1.1 : off.x + off.y;
  if (far > .5) discard;
  vec3 colour = state < .5 ? fresh : state < 1.5 ? late : state < 2.5 ? silent
    : state < 3.5 ? stopped : overflow;
  gl_FragColor = vec4(chosen > .5 && far > .3 ? ring : colour, 1.);
}`;

/** Makes the layer; `size` is the diameter of a device in CSS pixels at a zoom. */
export function createDeviceLayer(size: (zoom: number) => number): DeviceLayer {
  let points = new Float32Array(0);
  let isChanged = true;
  let colours: DeviceColours | undefined;
  let map: MapOfDevices | undefined;
  let program: WebGLProgram | null = null;
  let buffer: WebGLBuffer | null = null;

  return {
    id: 'devices', type: 'custom', renderingMode: '2d',
    show(drawn) {
      points = new Float32Array(drawn.points);
      isChanged = true;
      map?.triggerRepaint();
    },
    colour(next) {
      colours = next;
      map?.triggerRepaint();
    },
    onAdd(added, gl) {
      map = added;
      program = link(gl);
      buffer = gl.createBuffer();
      isChanged = true;
    },
    render(gl, { defaultProjectionData: { mainMatrix } }) {
      if (program === null || map === undefined || colours === undefined) return;
      const own = program;
      gl.useProgram(own);
      if ('bindVertexArray' in gl) gl.bindVertexArray(null);
      gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
      if (isChanged) gl.bufferData(gl.ARRAY_BUFFER, points, gl.DYNAMIC_DRAW);
      isChanged = false;
      const point = gl.getAttribLocation(own, 'point');
      gl.enableVertexAttribArray(point);
      gl.vertexAttribPointer(point, POINT_NUMBERS, gl.FLOAT, false, POINT_NUMBERS * FLOAT_BYTES, 0);
      const at = (name: string): WebGLUniformLocation | null => gl.getUniformLocation(own, name);
      gl.uniformMatrix4fv(at('matrix'), false, mainMatrix);
      gl.uniform1f(at('size'), size(map.getZoom()) * devicePixelRatio);
      for (const state of STATES) gl.uniform3fv(at(state), colours.states[state]);
      gl.uniform3fv(at('ring'), colours.ring);
      gl.drawArrays(gl.POINTS, 0, points.length / POINT_NUMBERS);
    },
  };
}

function link(gl: WebGLRenderingContext | WebGL2RenderingContext): WebGLProgram {
  const program = gl.createProgram();
  const sources = [[gl.VERTEX_SHADER, VERTEX], [gl.FRAGMENT_SHADER, FRAGMENT]] as const;
  for (const [type, source] of sources) {
    const shader = gl.createShader(type);
    if (shader === null) throw new Error('The browser makes no shader.');
    gl.shaderSource(shader, source);
    gl.compileShader(shader);
    gl.attachShader(program, shader);
  }
  gl.linkProgram(program);
  return program;
}
