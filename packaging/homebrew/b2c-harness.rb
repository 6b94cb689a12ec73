# packaging/dist.py fills in what is between @ signs: the source archive of a release and its checksum.
# Put the result into a tap: a repository OWNER/homebrew-TAP, as Formula/b2c-harness.rb.
class B2cHarness < Formula
  desc "Azure AD B2C test harness and policy simulator"
  homepage "@HOMEPAGE@"
  url "@URL@"
  version "@VERSION@"
  sha256 "@SHA256@"
  license "Apache-2.0"

  depends_on xcode: ["26.0", :build]
  depends_on "curl"
  depends_on "jansson"

  uses_from_macos "python" => :build
  uses_from_macos "swift" => :build
  uses_from_macos "sqlite"

  def install
    # Homebrew has a sandbox already, and that of SwiftPM cannot start inside it.
    %w[b2c mock-server].each do |program|
      system "swift", "build", "--disable-sandbox", "-c", "release", "--product", program
      bin.install ".build/release/#{program}"
      # One word, because b2c reads a second one as the name of a command.
      generate_completions_from_executable(bin/program, shells:                 [:bash, :zsh, :fish],
                                                        shell_parameter_format: "--generate-completion-script=")
    end
    system "python3", "packaging/manual.py", "man", version.to_s, "@DATE@", bin/"b2c", bin/"mock-server"
    man1.install Dir["man/*.1"]
  end

  test do
    assert_equal "b2c #{version}", shell_output("#{bin}/b2c --version").strip
    assert_equal 3, shell_output("#{bin}/b2c token --as ada").strip.split(".").length
  end
end
