import Geodesy
import Testing
import TripEvents
import TripTracking

/// The rules that fit how a source records.
@Suite struct RecordingHabitTests {
    /// A recording that is written step by step: seconds, metres north and metres per second.
    private struct Recording {
        private(set) var fixes: [Fix] = []
        private var second: Int64 = 0
        private var north = 0.0

        /// Goes on for some seconds at a speed, with a fix every so many seconds; `nil` for none.
        mutating func go(_ seconds: Int64, at speed: Double, every interval: Int64? = 1) {
            for elapsed in 0..<seconds {
                if let interval, elapsed % interval == 0,
                    let place = Coordinate(latitude: 52 + north / 111_000, longitude: 4)
                {
                    let time = Timestamp(milliseconds: 1_700_000_000_000 + second * 1_000)
                    fixes.append(Fix(occurredAt: time, coordinate: place))
                }
                second += 1
                north += speed
            }
        }
    }

    /// Drives, each with a cold engine first and a red light on the way, and hours between them.
    private static func drives(_ count: Int, every interval: Int64 = 1) -> Recording {
        var recording = Recording()
        for _ in 0..<count {
            recording.go(40, at: 0, every: interval)
            recording.go(300, at: 14, every: interval)
            recording.go(90, at: 0, every: interval)
            recording.go(300, at: 12, every: interval)
            recording.go(20, at: 0, every: interval)
            recording.go(7_200, at: 0, every: nil)
        }
        return recording
    }

    @Test(arguments: [1, 5, 20])
    func `a recorder that is on only while driving is a logger`(interval: Int64) {
        let habit = RecordingHabit(Self.drives(5, every: interval).fixes, hasMotion: false)
        #expect(habit.preset == .logger)
        #expect(habit.sessions == 5 && habit.drives == 5 && habit.returns == 4)
        #expect(habit.medianIntervalMilliseconds == interval * 1_000)
    }

    @Test func `one drive, or two, tell no habit`() {
        for count in 1...2 {
            let habit = RecordingHabit(Self.drives(count).fixes, hasMotion: false)
            #expect(habit.hasFewSessions && habit.preset == .history)
        }
    }

    @Test func `a phone that knows what moves it is no logger`() {
        #expect(RecordingHabit(Self.drives(5).fixes, hasMotion: true).preset == .history)
    }

    @Test func `a phone that goes on at home, walks or records rarely is no logger`() {
        var home = Self.drives(3)
        home.go(3_600, at: 0)
        home.go(600, at: 14)
        #expect(RecordingHabit(home.fixes, hasMotion: false).preset == .history)

        var walks = Self.drives(3)
        for _ in 0..<2 {
            walks.go(900, at: 1.4)
            walks.go(7_200, at: 0, every: nil)
        }
        #expect(RecordingHabit(walks.fixes, hasMotion: false).preset == .history)

        let rare = Self.drives(5, every: 60).fixes
        #expect(RecordingHabit(rare, hasMotion: false).preset == .history)
    }

    @Test func `drives that begin elsewhere than the last one ended are no car's`() {
        var recording = Self.drives(1)
        for _ in 0..<4 {
            recording.go(600, at: 30, every: nil)
            recording.go(7_200, at: 0, every: nil)
            recording.go(600, at: 14)
            recording.go(7_200, at: 0, every: nil)
        }
        let habit = RecordingHabit(recording.fixes, hasMotion: false)
        #expect(habit.drives == 5 && habit.preset == .history)
    }

    @Test func `no fixes and fixes of one instant are no logger's`() {
        #expect(RecordingHabit([], hasMotion: false).preset == .history)
        let one = Self.drives(1).fixes.prefix(1)
        let same = Array(repeating: one, count: 50).flatMap(\.self)
        let habit = RecordingHabit(same, hasMotion: false)
        #expect(habit.medianIntervalMilliseconds == nil && habit.preset == .history)
    }
}
