const { hasTime } = require('./plan');

const computePercent = (part, whole) =>
	whole === 0 ? 100 : Math.floor((1000 * part) / whole) / 10;

const matchesMutant = (equivalent, { file, code, was, instead }) =>
	equivalent.file === file &&
	equivalent.code === code &&
	(equivalent.was ?? was) === was &&
	(equivalent.instead ?? instead) === instead;

/** Whether a mutant has survived because there was no time for all tests that reach it. */
const isNotRun = (mutant) => mutant.reached && !mutant.killed && !hasTime(mutant);

function scoreOf(mutants) {
	const killed = mutants.filter((mutant) => mutant.killed).length;
	const notRun = mutants.filter(isNotRun).length;
	return {
		length: mutants.length,
		killed,
		notRun,
		percent: computePercent(killed, mutants.length),
	};
}

/** Returns the report on all mutants and whether the score is sufficient. */
function summary(mutants, equivalents) {
	const counted = mutants.filter(
		(mutant) => !equivalents.some((entry) => matchesMutant(entry, mutant)),
	);
	const equivalent = mutants.filter((mutant) => !counted.includes(mutant));
	const lines = [];
	const rows = [...new Set(mutants.map(({ file }) => file))].map((file) => {
		const fileMutants = counted.filter((mutant) => mutant.file === file);
		const killed = fileMutants.filter((mutant) => mutant.killed);
		return [
			file,
			fileMutants.length,
			killed.length,
			computePercent(killed.length, fileMutants.length),
		];
	});
	for (const mutant of counted.filter(({ killed }) => !killed)) {
		const outcome = !mutant.reached ? 'NOT REACHED' : isNotRun(mutant) ? 'NOT RUN' : 'SURVIVED';
		lines.push(`${outcome} ${mutant.file}:${mutant.line}  ${mutant.code}`);
		lines.push(`    ${mutant.was}  →  ${mutant.instead}`);
	}
	for (const { file, line, was, instead } of equivalent.filter(({ killed }) => killed)) {
		lines.push(`KILLED, although it is called equivalent: ${file}:${line}  ${was}  →  ${instead}`);
	}
	for (const { file, code } of equivalents.filter(
		(entry) => !mutants.some((mutant) => matchesMutant(entry, mutant)),
	)) {
		if (rows.some(([name]) => name === file)) lines.push(`NO SUCH LINE any more: ${file}  ${code}`);
	}
	for (const row of rows) lines.push(row.map((cell) => String(cell).padEnd(40)).join(''));
	let passed = true;
	for (const group of new Set(mutants.map((mutant) => mutant.group))) {
		const { length, percent, killed, notRun } = scoreOf(
			counted.filter((mutant) => mutant.group === group),
		);
		const isEnough = percent >= group.minPercent;
		passed &&= isEnough;
		lines.push(
			`${group.name}: ${killed} of ${length} mutants killed: ${percent} %, ${notRun} not run${isEnough ? '' : `. AT LEAST ${group.minPercent} % are required`}`,
		);
	}
	lines.push(`${equivalent.length} more are equivalent.`);
	return { text: lines.join('\n'), passed };
}

module.exports = { summary };
