package dev.daybreak.admin;

import dev.daybreak.admin.InvariantAudit.Finding;
import java.util.List;

/** The audit as staff see it: whether all is well, and what was counted for each rule. */
record InvariantReport(boolean ok, List<Finding> violations) {

    static final String EXAMPLE = """
            {"ok": true, "violations": [{"invariant": "I1", "rule": "booked_count equals the active appointments", "count": 0}]}""";

    static InvariantReport of(List<Finding> findings) {
        return new InvariantReport(findings.stream().allMatch(finding -> finding.count() == 0), findings);
    }
}
