import { init } from 'echarts';
import type { EChartsOption, SeriesOption } from 'echarts';

import { summarize } from './figures';
import type { Table } from './figures';
import { withUnit } from './format';

/**
 * Colors of text and lines by theme. Bars and curves have the same colors in both themes, see `assignColors`.
 */
const THEMES = {
	light: { text: '#1f2328', faint: '#d1d9e0', whisker: '#59636e' },
	dark: { text: '#f0f6fc', faint: '#3d444d', whisker: '#9198a1' },
};
const OTHER_COLORS = ['#8c959f', '#bc8c5f', '#d4a72c'];
const PACK_COLORS = ['#2f81f7', '#1a7f5a', '#a371f7'];
/** Names of contenders that use the pack. Some are named after an operation or a part of the pack. */
const PACK_CONTENDER = /gatehouse|trigger|watcher|pack|one file,|^create or update\b|^sync$/i;
const FONT = 'system-ui, -apple-system, sans-serif';
const WIDTH_PX = 760;
const BAR_PX = 22;
const GAPS = { barGap: '10%', barCategoryGap: '30%' };
const TITLE_PX = 36;
const LEGEND_LINE_PX = 21;
const BOTTOM_PX = 30;

export type Theme = keyof typeof THEMES;
export const themes = Object.keys(THEMES) as Theme[];

/** Assigns `PACK_COLORS` to the contenders that use the pack, by their names, and `OTHER_COLORS` to the others. */
function assignColors(contenders: string[]): Record<string, string> {
	const isPackContender = (name: string) => PACK_CONTENDER.test(name);
	const [packNames, otherNames] = [
		contenders.filter(isPackContender),
		contenders.filter((name) => !isPackContender(name)),
	];
	return Object.fromEntries([
		...packNames.map((name, index) => [name, PACK_COLORS[index % PACK_COLORS.length]!]),
		...otherNames.map((name, index) => [name, OTHER_COLORS[index % OTHER_COLORS.length]!]),
	]);
}

/** Returns a bar chart with a bar for each row and contender, and a whisker from the best round to the worst. */
function createBarOptions(table: Table, theme: Theme): { option: EChartsOption; height: number } {
	const { contenders, rows, unit } = table;
	const { text, faint, whisker } = THEMES[theme];
	const colors = assignColors(contenders);
	const series = contenders.flatMap((name, seriesIndex): SeriesOption[] => {
		const summaries = rows.map(({ values }) =>
			values[name]?.length ? summarize(values[name]) : null,
		);
		const medians: SeriesOption = {
			name,
			type: 'bar',
			color: colors[name],
			...GAPS,
			data: summaries.map((summary) => summary?.median ?? null),
		};
		const whiskers: SeriesOption = {
			type: 'custom',
			silent: true,
			z: 5,
			data: summaries.flatMap((summary, row) =>
				summary ? [[summary.low, summary.high, row]] : [],
			),
			renderItem: (_params, api) => {
				const [low, high, row] = [0, 1, 2].map((dimension) => api.value(dimension) as number) as [
					number,
					number,
					number,
				];
				const bar = api.barLayout({ count: contenders.length, ...GAPS })?.[seriesIndex];
				const [from, to] = [api.coord([low, row]), api.coord([high, row])];
				const y = from[1]! + (bar?.offsetCenter ?? 0);
				const createLine = (x1: number, y1: number, x2: number, y2: number) =>
					({
						type: 'line',
						shape: { x1, y1, x2, y2 },
						style: { stroke: whisker, lineWidth: 1.5 },
					}) as const;
				return {
					type: 'group',
					children: [
						createLine(from[0]!, y, to[0]!, y),
						createLine(from[0]!, y - 3, from[0]!, y + 3),
						createLine(to[0]!, y - 3, to[0]!, y + 3),
						{
							type: 'text',
							x: to[0]! + 8,
							y,
							style: {
								text: withUnit(summaries[row]!.median, unit),
								fill: text,
								font: `12px ${FONT}`,
								verticalAlign: 'middle',
							},
						},
					],
				};
			},
		};
		return [medians, whiskers];
	});
	return {
		height: rows.length * (contenders.length * BAR_PX + 26) + BOTTOM_PX,
		option: {
			xAxis: {
				type: 'value',
				axisLabel: { color: text },
				splitLine: { lineStyle: { color: faint } },
				name: unit,
				nameLocation: 'end',
				nameTextStyle: { color: text },
			},
			yAxis: {
				type: 'category',
				inverse: true,
				data: rows.map(({ name }) => name),
				axisLabel: { color: text, width: 150, overflow: 'break' },
				axisLine: { lineStyle: { color: faint } },
				axisTick: { show: false },
			},
			series,
		},
	};
}

/** Returns curves over the sizes of the rows, on logarithmic axes. Linear growth is a straight line on them. */
function createCurveOptions(table: Table, theme: Theme): { option: EChartsOption; height: number } {
	const { contenders, rows, unit, rowHeader } = table;
	const { text, faint } = THEMES[theme];
	const colors = assignColors(contenders);
	const axis = {
		type: 'log' as const,
		axisLabel: { color: text, formatter: (value: number) => value.toLocaleString('en') },
		axisLine: { lineStyle: { color: faint } },
		splitLine: { lineStyle: { color: faint } },
		nameLocation: 'middle' as const,
		nameTextStyle: { color: text },
	};
	return {
		height: 280,
		option: {
			xAxis: { ...axis, name: rowHeader, nameGap: 30 },
			yAxis: { ...axis, name: unit, nameGap: 48 },
			series: contenders.map((name) => ({
				name,
				type: 'line',
				color: colors[name],
				symbolSize: 7,
				data: rows.flatMap(({ size, values }) =>
					values[name]?.length ? [[size!, summarize(values[name]).median]] : [],
				),
			})),
		},
	};
}

/** Renders a table as a picture, for light or for dark pages. */
export function renderPlot(table: Table, title: string, theme: Theme): string {
	const { option, height } = (table.display === 'curve' ? createCurveOptions : createBarOptions)(
		table,
		theme,
	);
	const top = TITLE_PX + table.contenders.length * LEGEND_LINE_PX + 8;
	const size = { width: WIDTH_PX, height: top + height };
	const chart = init(null, null, { renderer: 'svg', ssr: true, ...size });
	const { text } = THEMES[theme];
	chart.setOption({
		animation: false,
		backgroundColor: 'transparent',
		textStyle: { fontFamily: FONT },
		title: { text: title, left: 0, textStyle: { color: text, fontSize: 15, fontFamily: FONT } },
		legend: {
			orient: 'vertical',
			top: TITLE_PX,
			left: 0,
			itemGap: 7,
			data: table.contenders,
			textStyle: { color: text },
			itemWidth: 14,
		},
		grid: { top, left: 8, right: 90, bottom: BOTTOM_PX, containLabel: true },
		...option,
	});
	const svg = chart.renderToSVGString();
	chart.dispose();
	return `${svg}\n`;
}
