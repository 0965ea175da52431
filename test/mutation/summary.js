/** Required percentage of killed mutants. */
const MIN_SCORE_PERCENT = 90;

const computePercent = (part, whole) =>
	whole === 0 ? 100 : Math.floor((1000 * part) / whole) / 10;

const matchesMutant = (equivalent, { file, code, was, instead }) =>
	equivalent.file === file &&
	equivalent.code === code &&
	(equivalent.was ?? was) === was &&
	(equivalent.instead ?? instead) === instead;

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
		const outcome = !mutant.reached
			? 'NOT REACHED'
			: mutant.killed === undefined
				? 'NOT RUN'
				: 'SURVIVED';
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
	const killed = counted.filter((mutant) => mutant.killed).length;
	const score = computePercent(killed, counted.length);
	lines.push(
		`${killed} of ${counted.length} mutants killed: ${score} %. ${equivalent.length} more are equivalent.`,
	);
	return { text: lines.join('\n'), passed: score >= MIN_SCORE_PERCENT };
}

module.exports = { summary };
