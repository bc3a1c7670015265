// @ts-check
// Two painters with the same methods, one on a canvas and one that writes SVG.

import { fontOf, sizeOf } from "./text.js";
import { readTheme } from "./theme.js";

/** @import { Font } from "./text.js" */
/** @import { Theme } from "./theme.js" */
/** @typedef {{stroke?: string, lineWidth?: number, dash?: number[], alpha?: number}} Pen  alpha: 0 clear to 1. */
/** @typedef {Pen & {fill?: string, radius?: number}} Area  radius: of the corners. */
/**
 * Where a text stands at its point, and how; rotate: degrees.
 * @typedef {Font & {fill?: string, align?: "left" | "center" | "right", rotate?: number,
 *   baseline?: "top" | "middle" | "alphabetic" | "bottom"}} TextStyle
 */
/**
 * What a picture is painted on, in CSS pixels. A curve is a cubic Bézier: x and y of its start, its two control points and
 * its end. What follows clip() is painted inside the rectangle only, until unclip().
 * @typedef {object} Surface
 * @property {(x: number, y: number, w: number, h: number, style?: Area) => void} rect
 * @property {(x1: number, y1: number, x2: number, y2: number, style?: Pen) => void} line
 * @property {(points: number[], style?: Pen) => void} curve
 * @property {(string: string, x: number, y: number, style?: TextStyle) => void} text
 * @property {(source: HTMLCanvasElement, x: number, y: number, w: number, h: number) => void} image
 * @property {(x: number, y: number, w: number, h: number) => void} clip
 * @property {() => void} unclip
 */

/** Return what draws on a canvas. @param {HTMLCanvasElement} canvas */
export const contextOf = (canvas) => /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));

const BASELINE = { top: 0.78, middle: 0.34, alphabetic: 0, bottom: -0.22 }; // of the size, the same for both painters

/**
 * Return a painter on a canvas.
 * @param {CanvasRenderingContext2D} ctx
 * @param {Theme} theme
 * @returns {Surface}
 */
export function canvasSurface(ctx, theme = readTheme(ctx.canvas)) {
  /** @param {Pen} pen */
  const pen = ({ stroke, lineWidth = 1, dash = [], alpha = 1 }) => {
    Object.assign(ctx, { strokeStyle: stroke, lineWidth, globalAlpha: alpha });
    ctx.setLineDash(dash);
  };
  /** @param {Pen} style @param {() => void} draw */
  const path = (style, draw) => {
    pen(style);
    ctx.beginPath();
    draw();
    ctx.stroke();
    ctx.globalAlpha = 1;
  };
  return {
    rect(x, y, w, h, style = {}) {
      const outline = () => (style.radius ? ctx.roundRect(x, y, w, h, style.radius) : ctx.rect(x, y, w, h));
      if (style.fill) {
        Object.assign(ctx, { fillStyle: style.fill, globalAlpha: style.alpha ?? 1 });
        ctx.beginPath();
        outline();
        ctx.fill();
        ctx.globalAlpha = 1;
      }
      if (style.stroke) path(style, outline);
    },
    line(x1, y1, x2, y2, style = {}) {
      path(style, () => (ctx.moveTo(x1, y1), ctx.lineTo(x2, y2)));
    },
    curve(points, style = {}) {
      const [x0, y0, x1, y1, x2, y2, x3, y3] = points;
      path(style, () => (ctx.moveTo(x0, y0), ctx.bezierCurveTo(x1, y1, x2, y2, x3, y3)));
    },
    text(string, x, y, style = {}) {
      const { fill = theme.text, align = "left", baseline = "alphabetic", rotate = 0 } = style;
      ctx.save();
      Object.assign(ctx, { font: fontOf(theme, style), fillStyle: fill, textAlign: align, direction: "ltr" });
      ctx.translate(x, y);
      ctx.rotate((rotate * Math.PI) / 180);
      ctx.fillText(string, 0, sizeOf(theme, style) * BASELINE[baseline]);
      ctx.restore();
    },
    image(source, x, y, w, h) {
      const shrinks = w * ctx.getTransform().a < source.width; // smoothed, so that no cell falls between two pixels
      Object.assign(ctx, { imageSmoothingEnabled: shrinks, imageSmoothingQuality: "high" });
      ctx.drawImage(source, x, y, w, h);
    },
    clip(x, y, w, h) {
      ctx.save();
      ctx.beginPath();
      ctx.rect(x, y, w, h);
      ctx.clip();
    },
    unclip: () => ctx.restore(),
  };
}

/** XML 1.0 allows neither most control characters nor half a surrogate pair, even escaped. @param {unknown} value */
const xml = (value) =>
  String(value)
    .replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, "\ufffd")
    .replace(/[&<>"']/g, (mark) => "&#" + mark.charCodeAt(0) + ";");

/**
 * Return a painter that writes SVG; String() of it is the file.
 * @param {number} width
 * @param {number} height
 * @param {Partial<Theme>} theme
 * @returns {Surface & {toString: () => string}}
 */
export function svgSurface(width, height, theme = {}) {
  /** @type {string[]} */
  const parts = [];
  let clips = 0;
  /** @param {string} tag @param {Record<string, string | number | undefined>} attributes @param {string} content */
  const put = (tag, attributes, content = "") => {
    const entries = Object.entries(attributes).filter(([, value]) => value !== undefined && value !== "");
    const written = entries.map(([key, value]) => " " + key + '="' + xml(value) + '"');
    parts.push("<" + tag + written.join("") + ">" + content + "</" + tag + ">");
  };
  /** @param {Pen} pen */
  const pen = ({ stroke, lineWidth = 1, dash = [], alpha }) => ({
    stroke,
    "stroke-width": stroke && lineWidth,
    "stroke-dasharray": dash.join(" "),
    "stroke-opacity": alpha,
  });
  return {
    rect(x, y, w, h, style = {}) {
      const fill = { fill: style.fill ?? "none", "fill-opacity": style.alpha };
      put("rect", { x, y, width: w, height: h, rx: style.radius, ...fill, ...pen(style) });
    },
    line(x1, y1, x2, y2, style = {}) {
      put("line", { x1, y1, x2, y2, ...pen(style) });
    },
    curve([x0, y0, ...rest], style = {}) {
      put("path", { d: "M" + x0 + " " + y0 + "C" + rest.join(" "), fill: "none", ...pen(style) });
    },
    text(string, x, y, style = {}) {
      const { fill = theme.text, align = "left", baseline = "alphabetic", rotate = 0 } = style;
      const size = sizeOf(theme, style);
      const anchor = { left: "start", center: "middle", right: "end" }[align];
      const turn = "translate(" + x + " " + y + ")" + (rotate ? " rotate(" + rotate + ")" : "");
      const family = style.mono ? theme.mono : theme.font;
      const font = { "font-family": family, "font-size": size, "font-weight": style.weight, "text-anchor": anchor };
      put("text", { transform: turn, y: size * BASELINE[baseline], fill, ...font }, xml(string));
    },
    image(source, x, y, w, h) {
      const style = w < source.width ? "" : "image-rendering:pixelated";
      const href = source.toDataURL("image/png");
      put("image", { x, y, width: w, height: h, preserveAspectRatio: "none", style, href });
    },
    clip(x, y, w, h) {
      const id = "clip" + clips++;
      put("clipPath", { id }, '<rect x="' + x + '" y="' + y + '" width="' + w + '" height="' + h + '"/>');
      parts.push('<g clip-path="url(#' + id + ')">');
    },
    unclip: () => parts.push("</g>"),
    toString() {
      const size = ' width="' + width + '" height="' + height + '" viewBox="0 0 ' + width + " " + height + '"';
      return '<svg xmlns="http://www.w3.org/2000/svg"' + size + ">" + parts.join("") + "</svg>";
    },
  };
}

/**
 * Give a canvas `width` x `height` CSS pixels at the screen's own resolution; return its context, cleared.
 * @param {HTMLCanvasElement} canvas
 * @param {number} width
 * @param {number} height
 * @param {number} ratio
 */
export function sharpCanvas(canvas, width, height, ratio = window.devicePixelRatio || 1) {
  const [w, h] = [Math.max(1, Math.round(width * ratio)), Math.max(1, Math.round(height * ratio))];
  if (canvas.width !== w || canvas.height !== h) Object.assign(canvas, { width: w, height: h });
  Object.assign(canvas.style, { width: width + "px", height: height + "px" });
  const ctx = contextOf(canvas);
  ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
  ctx.clearRect(0, 0, width, height);
  return ctx;
}
